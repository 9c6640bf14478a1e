//! Words of C text: enough of a tokenizer to rewrite names where a type stands.

/// What comes before a name.
pub struct Before<'a> {
    pub token: &'a str,
}

/// What follows a name.
pub enum Next {
    Ident,
    Star,
    Comma,
    Close,
    Other,
}

/// Calls `change` for every identifier outside comments; `Some` replaces it. A replacement that
/// ends in `*` takes the space after the name with it.
pub fn map_idents<'t>(
    text: &'t str,
    mut change: impl FnMut(&Before<'t>, &str, Next) -> Option<String>,
) -> String {
    let bytes = text.as_bytes();
    let mut out = String::with_capacity(text.len() + 64);
    let mut before = Before { token: "" };
    let mut at = 0;
    while at < bytes.len() {
        let rest = &text[at..];
        if rest.starts_with("/*") {
            let end = rest.find("*/").map_or(rest.len(), |e| e + 2);
            out += &rest[..end];
            at += end;
        } else if rest.starts_with("//") {
            let end = rest.find('\n').unwrap_or(rest.len());
            out += &rest[..end];
            at += end;
        } else if is_start(bytes[at]) {
            let len = bytes[at..].iter().take_while(|b| is_word(**b)).count();
            let name = &text[at..at + len];
            let after = &text[at + len..];
            match change(&before, name, next_of(after)) {
                Some(new) => {
                    out += &new;
                    if new.ends_with('*') {
                        at += after.len() - after.trim_start_matches(' ').len();
                    }
                }
                None => out += name,
            }
            before.token = name;
            at += len;
        } else if bytes[at].is_ascii_whitespace() {
            out.push(char::from(bytes[at]));
            at += 1;
        } else {
            let len = rest.chars().next().map_or(1, char::len_utf8);
            out += &rest[..len];
            before.token = &rest[..len];
            at += len;
        }
    }
    out
}

fn next_of(after: &str) -> Next {
    let after = after.trim_start();
    // `T const *p`: the const stands between a type and its star.
    let after = after.strip_prefix("const ").map_or(after, str::trim_start);
    match after.as_bytes().first() {
        Some(b'*') => Next::Star,
        Some(b',') => Next::Comma,
        Some(b')') => Next::Close,
        Some(b) if is_start(*b) => Next::Ident,
        _ => Next::Other,
    }
}

/// The identifier that ends a text.
pub fn ident_at_end(text: &str) -> &str {
    let text = text.trim_end();
    let len = text.bytes().rev().take_while(|b| is_word(*b)).count();
    &text[text.len() - len..]
}

/// The identifier that begins a text.
pub fn ident_at_start(text: &str) -> &str {
    let len = text.bytes().take_while(|b| is_word(*b)).count();
    &text[..len]
}

fn is_start(b: u8) -> bool {
    b.is_ascii_alphabetic() || b == b'_'
}

fn is_word(b: u8) -> bool {
    b.is_ascii_alphanumeric() || b == b'_'
}
