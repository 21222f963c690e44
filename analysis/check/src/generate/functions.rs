//! Functions that random kernels call: with a loop, early returns, and nested conditional calls.

/// The body for every target: inputs `%x` and `%y`, output `%v`; `RETURN` returns.
const MIX: &str = "
.reg .u32 %n; .reg .pred %p;
and.b32 %n, %x, 3;
xor.b32 %v, %x, %y;
AGAIN:
setp.eq.u32 %p, %n, 0;
@%p bra MIXED;
mad24.lo.u32 %v, %v, 5, %n;
sub.u32 %n, %n, 1;
bra AGAIN;
MIXED:
setp.lt.u32 %p, %y, %v;
@%p add.u32 %v, %v, %y;
@%p bra OUT;
shr.u32 %v, %v, 1;
@!%p RETURN
OUT:
RETURN
";

const TWICE: &str = "
.reg .u32 %a, %b; .reg .pred %p;
setp.gt.s32 %p, %x, %y;
@%p bra HIGH;
call (%a), mix, (%x, %y);
bra BOTH;
HIGH:
call (%a), mix, (%y, 7);
BOTH:
mov.u32 %b, %x;
@!%p call (%b), mix, (%a, %x);
add.u32 %v, %a, %b;
RETURN
";

/// Calls itself up to seven times.
const DEEP: &str = "
.reg .u32 %n; .reg .pred %p;
and.b32 %n, %x, 7;
mov.u32 %v, %y;
setp.eq.u32 %p, %n, 0;
@%p RETURN
sub.u32 %n, %n, 1;
mad.lo.u32 %v, %v, 3, %x;
call (%v), deep, (%n, %v);
xor.b32 %v, %v, %x;
RETURN
";

/// Returns `mix` and `twice`, and for targets with recursion `deep`: functions of two words that
/// return a word. Up to `sm_13` the values are passed in registers, then as `.param` variables.
pub(super) fn functions(sm: u32) -> String {
    let mut text = String::new();
    let all = [("mix", MIX), ("twice", TWICE), ("deep", DEEP)];
    for (name, body) in all.into_iter().take(if sm < 20 { 2 } else { 3 }) {
        let (head, leave) = if sm < 20 {
            (format!(".func (.reg .u32 %v) {name} (.reg .u32 %x, .reg .u32 %y)\n{{"), "ret;")
        } else {
            let params = format!(".func (.param .b32 rv) {name} (.param .b32 px, .param .b32 py)\n{{");
            let loads = ".reg .u32 %x, %y, %v;\nld.param.u32 %x, [px];\nld.param.u32 %y, [py];";
            (format!("{params}\n{loads}"), "bra LEAVE;")
        };
        text.push_str(&head);
        text.push_str(&body.replace("RETURN", leave));
        if sm >= 20 {
            text.push_str("LEAVE:\nst.param.b32 [rv], %v;\nret;\n");
        }
        text.push_str("}\n");
    }
    text
}
