//! What the texts of most games share: names of cells, rows of letters, the side to move.

use game::{NotationError, Seat};

pub fn error(what: &'static str, text: &str, reason: impl Into<String>) -> NotationError {
    NotationError { what, text: text.to_owned(), reason: reason.into() }
}

/// A column letter from `a` and a row number from 1.
pub fn cell_text(column: usize, row: usize) -> String {
    format!("{}{}", char::from(b'a' + column as u8), row + 1)
}

/// Reads [`cell_text`] back to column and row, both from 0.
pub fn parse_cell(text: &str, width: usize, height: usize) -> Option<(usize, usize)> {
    let letter = text.bytes().next().filter(u8::is_ascii_lowercase)?;
    let (column, number) = (usize::from(letter - b'a'), &text[1..]);
    if number.starts_with(['0', '+']) {
        return None;
    }
    let row = number.parse::<usize>().ok()?.checked_sub(1)?;
    (column < width && row < height).then_some((column, row))
}

/// Cuts a text of several cell names: a new name begins at every letter.
pub fn split_cells(text: &str) -> Vec<&str> {
    let mut starts: Vec<usize> = text
        .char_indices()
        .filter(|(_, letter)| letter.is_ascii_alphabetic())
        .map(|(at, _)| at)
        .collect();
    if starts.first() != Some(&0) {
        return vec![text];
    }
    starts.push(text.len());
    starts.windows(2).map(|pair| &text[pair[0]..pair[1]]).collect()
}

/// The rows from the top, with `/` between them; a number stands for so many empty cells.
pub fn board_text(
    width: usize,
    height: usize,
    letter: impl Fn(usize, usize) -> Option<char>,
) -> String {
    let row_text = |row: usize| {
        let (mut text, mut n_empty) = (String::new(), 0);
        for column in 0..width {
            match letter(column, row) {
                None => n_empty += 1,
                Some(letter) => {
                    if n_empty > 0 {
                        text.push_str(&n_empty.to_string());
                    }
                    n_empty = 0;
                    text.push(letter);
                }
            }
        }
        if n_empty > 0 {
            text.push_str(&n_empty.to_string());
        }
        text
    };
    (0..height).rev().map(row_text).collect::<Vec<_>>().join("/")
}

/// Reads [`board_text`] back: calls `put` with column, row and letter of every cell that is not empty. An error says
/// which row or, by `put`, which cell is wrong.
pub fn read_board(
    text: &str,
    width: usize,
    height: usize,
    mut put: impl FnMut(usize, usize, char) -> Result<(), String>,
) -> Result<(), String> {
    let rows: Vec<&str> = text.split('/').collect();
    if rows.len() != height {
        return Err(format!("the board has {} rows instead of {height}", rows.len()));
    }
    for (row, letters) in (0..height).rev().zip(rows) {
        let too_long = || format!("row {} has more than {width} cells", row + 1);
        let (mut column, mut n_empty) = (0usize, 0usize);
        for letter in letters.chars() {
            if let Some(digit) = letter.to_digit(10) {
                n_empty = n_empty * 10 + digit as usize;
                if n_empty > width {
                    return Err(too_long());
                }
                continue;
            }
            column += n_empty;
            n_empty = 0;
            if column >= width {
                return Err(too_long());
            }
            put(column, row, letter)?;
            column += 1;
        }
        if column + n_empty != width {
            let n_cells = column + n_empty;
            return Err(format!("row {} has {n_cells} cells instead of {width}", row + 1));
        }
    }
    Ok(())
}

/// The letter of a side, first and second.
pub fn side_letter(letters: [char; 2], seat: Seat) -> char {
    letters[seat.idx()]
}

/// Reads the field that names the side to move.
pub fn parse_side(field: Option<&str>, letters: [char; 2]) -> Result<Seat, String> {
    let [first, second] = letters;
    let field = field.ok_or_else(|| "the side to move is missing".to_owned())?;
    Seat::BOTH
        .into_iter()
        .find(|seat| field.chars().eq([letters[seat.idx()]]))
        .ok_or_else(|| format!("the side to move is {first} or {second}, not {field:?}"))
}

/// Reads a field that must be a number.
pub fn parse_number<N: std::str::FromStr>(
    field: Option<&str>,
    what: &'static str,
) -> Result<N, String> {
    let field = field.ok_or_else(|| format!("{what} is missing"))?;
    field.parse().map_err(|_| format!("{what} is a number, not {field:?}"))
}

/// Refuses what follows the last field.
pub fn nothing_more<'t>(mut fields: impl Iterator<Item = &'t str>) -> Result<(), String> {
    match fields.next() {
        None => Ok(()),
        Some(field) => Err(format!("{field:?} follows the last field")),
    }
}

#[cfg(test)]
mod tests {
    use super::{board_text, cell_text, parse_cell, read_board, split_cells};

    #[test]
    fn names_read_back_and_others_are_refused() {
        for column in 0..19 {
            for row in 0..19 {
                let text = cell_text(column, row);
                assert_eq!(parse_cell(&text, 19, 19), Some((column, row)), "{text}");
            }
        }
        for text in ["", "a", "a0", "a01", "a+1", "t1", "a20", "A1", "1a", "ä1", "a1b"] {
            assert_eq!(parse_cell(text, 19, 19), None, "{text}");
        }
        assert_eq!(split_cells("a10b2c3"), ["a10", "b2", "c3"]);
        assert_eq!(split_cells("10b2"), ["10b2"]);
    }

    #[test]
    fn rows_read_back_and_a_wrong_row_is_named() {
        let text = "x11/12/5o6";
        let mut cells = Vec::new();
        let read = read_board(text, 12, 3, |column, row, letter| {
            cells.push((column, row, letter));
            Ok(())
        });
        assert_eq!((read, &cells[..]), (Ok(()), &[(0, 2, 'x'), (5, 0, 'o')][..]));
        let letter = |column, row| {
            cells.iter().find(|cell| (cell.0, cell.1) == (column, row)).map(|cell| cell.2)
        };
        assert_eq!(board_text(12, 3, letter), text);
        for (wrong, reason) in [
            ("12/12", "the board has 2 rows instead of 3"),
            ("12/11/12", "row 2 has 11 cells instead of 12"),
            ("12/12/x12", "row 1 has 13 cells instead of 12"),
            ("12x/12/12", "row 3 has more than 12 cells"),
            ("999999999999999999999999/12/12", "row 3 has more than 12 cells"),
        ] {
            assert_eq!(read_board(wrong, 12, 3, |_, _, _| Ok(())), Err(reason.to_owned()));
        }
    }
}
