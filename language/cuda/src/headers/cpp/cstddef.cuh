// <cstddef>: bytes.
namespace std {
using ::max_align_t;
enum class byte : unsigned char {};
constexpr byte operator|(byte a, byte b) { return (byte)(unsigned char)((unsigned)a | (unsigned)b); }
constexpr byte operator&(byte a, byte b) { return (byte)(unsigned char)((unsigned)a & (unsigned)b); }
constexpr byte operator^(byte a, byte b) { return (byte)(unsigned char)((unsigned)a ^ (unsigned)b); }
constexpr byte operator~(byte a) { return (byte)(unsigned char)~(unsigned)a; }
constexpr byte operator<<(byte a, int count) { return (byte)(unsigned char)((unsigned)a << count); }
constexpr byte operator>>(byte a, int count) { return (byte)(unsigned char)((unsigned)a >> count); }
template <class T> constexpr T to_integer(byte value) { return (T)value; }
constexpr byte &operator|=(byte &a, byte b) { return a = a | b; }
constexpr byte &operator&=(byte &a, byte b) { return a = a & b; }
constexpr byte &operator^=(byte &a, byte b) { return a = a ^ b; }
constexpr byte &operator<<=(byte &a, int count) { return a = a << count; }
constexpr byte &operator>>=(byte &a, int count) { return a = a >> count; }
}
