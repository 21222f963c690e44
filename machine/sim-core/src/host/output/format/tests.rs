//! Conversions against texts of the C library of GNU, and records that are not complete.

use super::*;

/// Returns the record of a format with these words of arguments and strings.
fn made(format: &str, values: &[u32], strings: &[Option<&str>]) -> Vec<u8> {
    let mut words = vec![0, 0, 0, format.len() as u32, 4 * values.len() as u32];
    let padded = |text: &str| {
        let mut bytes = text.as_bytes().to_vec();
        bytes.resize(bytes.len().next_multiple_of(4), 0);
        bytes.chunks(4).map(|c| u32::from_le_bytes([c[0], c[1], c[2], c[3]])).collect::<Vec<u32>>()
    };
    words.extend(padded(format));
    words.extend(values);
    for string in strings {
        words.push(string.map_or(u32::MAX, |text| text.len() as u32));
        words.extend(padded(string.unwrap_or("")));
    }
    words.iter().flat_map(|word| word.to_le_bytes()).collect()
}

fn text(format: &str, values: &[u32], strings: &[Option<&str>]) -> String {
    let text = record(&made(format, values, strings), 8, 1 << 20).expect("the text is short");
    String::from_utf8(text).expect("all texts are ASCII")
}

/// Widths and precisions have no limit but the length of the text.
#[test]
fn long_widths_and_precisions_are_not_clipped() {
    let third = (1.0_f64 / 3.0).to_bits();
    let bits = [third as u32, (third >> 32) as u32];
    for (format, values, length) in [
        ("%5000d", &[7][..], 5000),
        ("%-70000d|", &[7], 70001),
        ("%.3000d", &[7], 3000),
        ("%*d", &[4000, 7], 4000),
        ("%.2000f", &bits, 2002),
        ("%.70000f", &bits, 70002),
        ("%.2000e", &bits, 2006),
        ("%#.2000g", &bits, 2002),
        ("%.2000a", &bits, 2007),
        ("%2147483647s", &[0; 2], 0),
        ("%99999999999999999999d", &[7], 0),
    ] {
        let text = record(&made(format, values, &[Some("x")]), 8, 100_000);
        assert_eq!(text.map_or(0, |text| text.len()), length, "{format}");
    }
    assert_eq!(text("%.2147483647s", &[0; 2], &[Some("abc")]), "abc");
    let half = 0.5_f64.to_bits();
    let found = text("%.1500f", &[half as u32, (half >> 32) as u32], &[]);
    assert_eq!(found, format!("0.5{}", "0".repeat(1499)));
}

/// Tests: `device-output`. The expected texts are those of the C library of GNU.
#[test]
fn conversions_agree_with_the_c_library() {
    let mut rows = 0;
    for row in include_str!("vectors.tsv").lines() {
        let [format, kind, value, expected] = row.split('\t').collect::<Vec<_>>()[..] else {
            panic!("{row}")
        };
        let bits = match (kind, value.strip_prefix("0x")) {
            (_, Some(digits)) => u64::from_str_radix(digits, 16).expect("bits"),
            _ => value.parse::<i64>().expect("a number").cast_unsigned(),
        };
        let words = [bits as u32, (bits >> 32) as u32];
        let values = if kind == "I" { &words[..1] } else { &words };
        assert_eq!(text(format, values, &[]), expected, "{row}");
        rows += 1;
    }
    assert!(rows > 400, "{rows} rows");
}

#[test]
fn arguments_have_their_alignment_and_strings_their_length() {
    let one = 1.0_f64.to_bits();
    let found = text(
        "%d %f %s|%*d|%-*d|%.1F %%\n",
        &[7, 0, one as u32, (one >> 32) as u32, 1, 0, 5, 42, 4, 3, one as u32, (one >> 32) as u32],
        &[Some("text")],
    );
    assert_eq!(found, "7 1.000000 text|   42|3   |1.0 %\n");
    assert_eq!(
        text("%s|%.2s|%5s|%-5s|", &[0; 8], &[None, Some("abc"), Some("ab"), Some("c")]),
        "(null)|ab|   ab|c    |"
    );
    assert_eq!(text("%p %p", &[0, 0, 0x10, 1], &[]), "(nil) 0x100000010");
    assert_eq!(text("%*d|", &[(-4_i32).cast_unsigned(), 3], &[]), "3   |");
}

#[test]
fn unknown_and_incomplete_conversions_are_copied() {
    assert_eq!(text("100%% sure: %y %", &[], &[]), "100% sure: %y %");
    assert_eq!(text("%5", &[], &[]), "%5");
    // As an H100 printed them.
    assert_eq!(text("[%.*d] [%*.*d] [%d]", &[5], &[]), "[%.*d] [%*.*d] [5]");
    assert_eq!(text("[%'d] [%zu] [%y] [%hhd] [%hd]", &[70000], &[]), "[%'d] [%zu] [%y] [%hhd] [4464]");
    // The thirty-third argument is not recorded.
    let format = "%d".repeat(33);
    assert_eq!(text(&format, &[1; 32], &[]), "1".repeat(32) + "%d");
}

#[test]
fn no_record_causes_a_panic() {
    let whole = made("%s %d %*.*f %a", &[1; 12], &[Some("abc")]);
    for length in 0..whole.len() {
        record(&whole[..length], 4, 1 << 20);
        let mut changed = whole.clone();
        changed[length] = 0xff;
        record(&changed, 8, 1 << 20);
    }
}
