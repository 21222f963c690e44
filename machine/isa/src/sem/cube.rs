//! Directions as positions on the faces of a cube, for fetches from cube maps.
//!
//! The coordinate with the largest magnitude selects the face, and the others, divided by it, are
//! the position (CUDA C Programming Guide, "Cubemap Textures"). Of coordinates of the same
//! magnitude, z comes before y, and y before x, as in a recording on a GPU.

/// Position of the face in the result of [`face`]; the number of the cube is above it.
pub const CUBE_SHIFT: u32 = 3;

/// Number of the face, and its coordinates: divisor m, s and t.
fn projected([x, y, z]: [u32; 3]) -> (u32, [f32; 3]) {
    let [x, y, z] = [x, y, z].map(f32::from_bits);
    let [a, b, c] = [x, y, z].map(f32::abs);
    if c >= a && c >= b {
        if z.is_sign_negative() { (5, [c, -x, -y]) } else { (4, [c, x, -y]) }
    } else if b >= a {
        if y.is_sign_negative() { (3, [b, x, -z]) } else { (2, [b, x, z]) }
    } else if x.is_sign_negative() {
        (1, [a, z, -y])
    } else {
        (0, [a, -z, -y])
    }
}

/// The coordinate `part` from 0 to 1. A direction without a length points to the center.
fn position(part: f32, magnitude: f32) -> u32 {
    let position = 0.5 + 0.5 * (part / magnitude);
    if position.is_nan() { 0.5_f32.to_bits() } else { position.to_bits() }
}

/// Horizontal position on the face, from 0 to 1.
pub fn s(x: u32, y: u32, z: u32) -> u32 {
    let (_, [m, s, _]) = projected([x, y, z]);
    position(s, m)
}

/// Vertical position on the face, from 0 to 1.
pub fn t(x: u32, y: u32, z: u32) -> u32 {
    let (_, [m, _, t]) = projected([x, y, z]);
    position(t, m)
}

/// Number of the face, and above it the number of the cube.
pub fn face(x: u32, y: u32, z: u32, cube: u32) -> u32 {
    cube.min(u32::MAX >> CUBE_SHIFT) << CUBE_SHIFT | projected([x, y, z]).0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn directions_have_the_faces_of_the_programming_guide() {
        let found = |direction: [f32; 3]| {
            let [x, y, z] = direction.map(f32::to_bits);
            (face(x, y, z, 0), f32::from_bits(s(x, y, z)), f32::from_bits(t(x, y, z)))
        };
        assert_eq!(found([2.0, 1.0, -1.0]), (0, 0.75, 0.25));
        assert_eq!(found([-2.0, 1.0, -1.0]), (1, 0.25, 0.25));
        assert_eq!(found([1.0, 2.0, -1.0]), (2, 0.75, 0.25));
        assert_eq!(found([1.0, -2.0, -1.0]), (3, 0.75, 0.75));
        assert_eq!(found([1.0, -1.0, 2.0]), (4, 0.75, 0.75));
        assert_eq!(found([1.0, -1.0, -2.0]), (5, 0.25, 0.75));
        assert_eq!(found([0.0; 3]), (4, 0.5, 0.5));
        assert_eq!(found([-1.0, -1.0, 1.0]), (4, 0.0, 1.0));
        assert_eq!(found([-1.0, -1.0, 0.0]), (3, 0.0, 0.5));
    }

    #[test]
    fn the_cube_is_above_the_face() {
        let [one, zero] = [1.0_f32, 0.0].map(f32::to_bits);
        assert_eq!(face(zero, zero, one, 5), 5 << 3 | 4);
        assert_eq!(face(zero, zero, one, u32::MAX) >> CUBE_SHIFT, u32::MAX >> 3);
    }
}
