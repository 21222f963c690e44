// <endian.h>, <byteswap.h> and the part of <arpa/inet.h> without a network: orders of bytes.
#define __LITTLE_ENDIAN 1234
#define __BIG_ENDIAN 4321
#define __BYTE_ORDER __LITTLE_ENDIAN
#define LITTLE_ENDIAN __LITTLE_ENDIAN
#define BIG_ENDIAN __BIG_ENDIAN
#define BYTE_ORDER __BYTE_ORDER
static inline uint16_t bswap_16(uint16_t x) { return (uint16_t)(x << 8 | x >> 8); }
static inline uint32_t bswap_32(uint32_t x) {
    x = (x & 0x00ff00ff) << 8 | (x >> 8 & 0x00ff00ff);
    return x << 16 | x >> 16;
}
static inline uint64_t bswap_64(uint64_t x) { return (uint64_t)bswap_32((uint32_t)x) << 32 | bswap_32((uint32_t)(x >> 32)); }
#define htole16(x) ((uint16_t)(x))
#define htole32(x) ((uint32_t)(x))
#define htole64(x) ((uint64_t)(x))
#define le16toh(x) ((uint16_t)(x))
#define le32toh(x) ((uint32_t)(x))
#define le64toh(x) ((uint64_t)(x))
#define htobe16(x) bswap_16(x)
#define htobe32(x) bswap_32(x)
#define htobe64(x) bswap_64(x)
#define be16toh(x) bswap_16(x)
#define be32toh(x) bswap_32(x)
#define be64toh(x) bswap_64(x)
#define htons(x) bswap_16(x)
#define htonl(x) bswap_32(x)
#define ntohs(x) bswap_16(x)
#define ntohl(x) bswap_32(x)
