//! The selection of rows.

use super::boards::Boards;
use crate::exit::Failure;
use evidence::measure::table::{self, Measurement};
use evidence::view::choice::selected;

/// Returns the rows with these names, or all, in the order of the table and of its chips. The error
/// lists every unknown name with the nearest known one.
pub fn rows(names: &[String], boards: &Boards) -> Result<Vec<&'static Measurement>, Failure> {
    let table = table::published();
    let elsewhere = |row: &Measurement| {
        let chip = boards.only().filter(|chip| *chip != row.chip)?;
        Some(format!("error: {} was measured on {} (`{}`), not on `{chip}`", row.id, row.board, row.chip))
    };
    let words = ("row", "`warpsim validate --list` lists all rows");
    let mut rows = if names.is_empty() {
        table.iter().filter(|row| elsewhere(row).is_none()).collect()
    } else {
        selected(table, names, |row| vec![row.id.clone()], words, elsewhere)?
    };
    if rows.is_empty() {
        let chip = boards.only().unwrap_or_default();
        let mut names: Vec<&str> = table.iter().map(|row| row.chip).collect();
        names.sort_unstable();
        names.dedup();
        let names = names.join(", ");
        return Err(Failure::input(format!(
            "error: no published values for chip `{chip}`\nhelp: chips with published values: {names}"
        )));
    }
    // Rows are sorted by chip, in the order of the chips' first rows.
    let place = |chip: &str| table.iter().position(|row| row.chip == chip);
    rows.sort_by_key(|row| place(row.chip));
    Ok(rows)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::args::{Args, Command};
    use clap::Parser;

    fn chosen(line: &str) -> Result<Vec<&'static str>, String> {
        let args = Args::try_parse_from(format!("warpsim validate{line}").split(' ')).expect("good");
        let Command::Validate(args) = args.command else { panic!("the command is validate") };
        let boards = Boards::new(&args).map_err(|failure| failure.message)?;
        let rows = rows(&args.rows, &boards).map_err(|failure| failure.message)?;
        Ok(rows.iter().map(|row| row.id.as_str()).collect())
    }

    #[test]
    fn rows_are_chosen_by_id_and_chip() {
        assert_eq!(chosen("").unwrap().len(), table::published().len());
        assert_eq!(chosen(" v318 V001").unwrap(), ["V001", "V318"]);
        let gt200 = chosen(" --chip gt200").unwrap();
        assert!(gt200.contains(&"V318t") && !gt200.contains(&"V001"), "{gt200:?}");
    }

    #[test]
    fn every_unknown_id_is_reported_with_its_nearest() {
        let message = chosen(" V3O7 V318u nonsense V001 --chip gt200").unwrap_err();
        let lines: Vec<&str> = message.lines().collect();
        assert!(
            lines[0] == "error: unknown row `V3O7`" && lines[1].starts_with("help: did you mean `V3"),
            "{message}"
        );
        assert_eq!(lines[2..4], ["error: unknown row `V318u`", "help: did you mean `V318`?"]);
        let list = "help: `warpsim validate --list` lists all rows";
        assert_eq!(lines[4..6], ["error: unknown row `nonsense`", list]);
        assert_eq!(lines[6], "error: V001 was measured on G80 8800 GTX (`g80`), not on `gt200`");
    }
}
