// Each work-item stores its own indices and the sizes of the NDRange.
__kernel void indices(__global uint *out)
{
    __global uint *own = out + 6 * get_global_id(0);
    own[0] = get_global_id(0);
    own[1] = get_local_id(0);
    own[2] = get_group_id(0);
    own[3] = get_global_size(0);
    own[4] = get_local_size(0);
    own[5] = get_num_groups(0);
}
