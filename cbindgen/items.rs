//! cbindgen's text cut into items, and what is done to one item.

use std::collections::HashMap;

use crate::headers::declared;
use crate::text::{ident_at_end, ident_at_start};

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    Define,
    Enum,
    Struct,
    Union,
    Typedef,
    FunctionType,
    Variable,
    Function,
}

#[derive(Clone, Debug)]
pub struct Item {
    pub kind: Kind,
    pub name: String,
    /// Doc lines without comment signs.
    pub docs: Vec<String>,
    pub text: String,
    /// The text is hand-written and printed as it is.
    pub spliced: bool,
}

/// Comments, then one declaration: a line that begins with `#`, or everything up to the `;` outside
/// braces.
pub fn parse(text: &str) -> Result<Vec<Item>, String> {
    let mut items = Vec::new();
    let mut docs = Vec::new();
    let mut lines = text.lines();
    while let Some(line) = lines.next() {
        if line.trim().is_empty() {
            docs.clear();
        } else if let Some(doc) = line.strip_prefix("//") {
            docs.push(doc.strip_prefix(' ').unwrap_or(doc).to_owned());
        } else {
            let mut whole = line.to_owned();
            let mut depth = depth_of(line);
            while !line.starts_with('#') && (depth > 0 || !whole.trim_end().ends_with(';')) {
                let line = lines.next().ok_or_else(|| format!("no end: {whole}"))?;
                depth += depth_of(line);
                whole.push('\n');
                whole += line;
            }
            let (kind, name) = head(&whole);
            let name = name.to_owned();
            let docs = clean(std::mem::take(&mut docs));
            items.push(Item { kind, name, docs, text: whole, spliced: false });
        }
    }
    Ok(items)
}

fn depth_of(line: &str) -> i32 {
    let line = line.split("//").next().unwrap_or("");
    line.chars().map(|c| i32::from(c == '{') - i32::from(c == '}')).sum()
}

fn head(text: &str) -> (Kind, &str) {
    if let Some(rest) = text.strip_prefix("#define ") {
        return (Kind::Define, ident_at_start(rest));
    }
    for (word, kind) in [("struct ", Kind::Struct), ("union ", Kind::Union), ("enum ", Kind::Enum)]
    {
        if let Some(rest) = text.strip_prefix(word) {
            let name = ident_at_start(rest);
            if matches!(rest[name.len()..].trim_start().as_bytes().first(), Some(b'{' | b';')) {
                return (kind, name);
            }
        }
    }
    if let Some(rest) = text.strip_prefix("typedef ") {
        if let Some(at) = rest.find("(*") {
            return (Kind::FunctionType, ident_at_start(&rest[at + 2..]));
        }
        return (Kind::Typedef, declared(rest));
    }
    if text.starts_with("extern ") {
        return (Kind::Variable, declared(text));
    }
    (Kind::Function, ident_at_end(&text[..text.find('(').unwrap_or(text.len())]))
}

/// Leaves out what only a Rust caller needs, and Rust's link signs.
fn clean(docs: Vec<String>) -> Vec<String> {
    let mut kept: Vec<String> = Vec::new();
    for line in docs {
        if line.trim() == "# Safety" {
            break;
        }
        kept.push(line.replace("[`", "`").replace("`]", "`").trim_end().to_owned());
    }
    while kept.last().is_some_and(String::is_empty) {
        kept.pop();
    }
    kept
}

impl Item {
    /// A struct whose only field is the private nothing shows C nothing.
    pub fn hide_private(&mut self) {
        if self.kind == Kind::Struct && self.text.contains("{\n    uint8_t _private[0];\n}") {
            self.text = format!("struct {};", self.name);
        }
    }

    pub fn is_opaque(&self) -> bool {
        self.kind == Kind::Struct && !self.text.contains('{') && !self.spliced
    }

    /// A newtype over an integer with associated constants is an enum in C.
    pub fn make_enum(&mut self, values: &[(Vec<String>, String, String)]) {
        self.kind = Kind::Enum;
        self.text = format!("enum {} {{\n", self.name);
        for (docs, name, number) in values {
            for line in clean(docs.clone()) {
                self.text += &format!("    // {line}\n");
            }
            self.text += &format!("    {name} = {number},\n");
        }
        self.text += "};";
    }

    /// Puts the body of `anon_*` types where their fields stand.
    pub fn inline_anonymous(&mut self, bodies: &HashMap<String, String>) {
        while let Some(at) = self.text.find(" anon_") {
            let name = ident_at_start(&self.text[at + 1..]).to_owned();
            let Some(body) = bodies.get(&name) else { break };
            let line_start = self.text[..at].rfind('\n').map_or(0, |n| n + 1);
            let line_end = self.text[at..].find('\n').map_or(self.text.len(), |n| at + n);
            let indent: String =
                self.text[line_start..].chars().take_while(|c| *c == ' ').collect();
            let field = self.text[at + 1 + name.len()..line_end].trim().to_owned();
            let mut inner = body.replacen(&format!("{name} "), "", 1);
            inner = inner.trim_end_matches(';').to_owned();
            inner = inner.replace('\n', &format!("\n{indent}"));
            let line = format!("{indent}{inner} {field}");
            self.text.replace_range(line_start..line_end, &line);
        }
    }

    /// A field whose doc says `[const]` is const in C.
    pub fn constant_fields(&mut self) {
        if !self.text.contains("[const]") {
            return;
        }
        let mut out: Vec<String> = Vec::new();
        let mut pending = false;
        for line in self.text.lines() {
            let code = line.trim();
            if code.starts_with("//") {
                if code.contains("[const]") {
                    pending = true;
                    continue;
                }
                out.push(line.to_owned());
            } else if pending {
                pending = false;
                out.push(constant(line));
            } else {
                out.push(line.to_owned());
            }
        }
        self.text = out.join("\n");
    }

    /// The C text: a doc comment and the declaration, long prototypes one argument a line.
    pub fn render(&self) -> String {
        let mut text = comment(&self.docs, "");
        if self.spliced {
            text += &self.text;
        } else if matches!(self.kind, Kind::Function | Kind::FunctionType) {
            text += &wrapped(&self.text);
        } else {
            text += &with_field_docs(&self.text);
        }
        text.push('\n');
        text
    }
}

fn constant(line: &str) -> String {
    let name = declared(line);
    if let Some(at) = line.find("(*") {
        return format!("{}(*const {}", &line[..at], &line[at + 2..]);
    }
    let at = line.rfind(name).unwrap_or(0);
    if line[..at].trim_end().ends_with('*') {
        return format!("{}const {}", &line[..at], &line[at..]);
    }
    let code = line.trim_start();
    if code.starts_with("const ") {
        return line.to_owned();
    }
    format!("{}const {code}", &line[..line.len() - code.len()])
}

fn comment(docs: &[String], indent: &str) -> String {
    match docs {
        [] => String::new(),
        [one] if one.len() + indent.len() < 93 => format!("{indent}/** {one} */\n"),
        many => {
            let mut text = format!("{indent}/**\n");
            for line in many {
                text += format!("{indent} * {line}").trim_end();
                text.push('\n');
            }
            text + indent + " */\n"
        }
    }
}

/// Field docs come as `//` lines; a C90-minded reader and C++ tools both like the block form.
fn with_field_docs(text: &str) -> String {
    let mut out = String::new();
    let mut docs: Vec<String> = Vec::new();
    for line in text.lines() {
        let code = line.trim_start();
        let indent = &line[..line.len() - code.len()];
        if let Some(doc) = code.strip_prefix("//") {
            docs.push(doc.strip_prefix(' ').unwrap_or(doc).to_owned());
            continue;
        }
        out += &comment(&clean(std::mem::take(&mut docs)), indent);
        out += line;
        out.push('\n');
    }
    out.trim_end().to_owned()
}

fn wrapped(text: &str) -> String {
    if text.len() <= 100 {
        return text.to_owned();
    }
    // The arguments begin at the last opening bracket of the outermost level.
    let mut depth = 0;
    let mut open = 0;
    for (at, c) in text.char_indices() {
        match c {
            '(' => {
                if depth == 0 {
                    open = at;
                }
                depth += 1;
            }
            ')' => depth -= 1,
            _ => {}
        }
    }
    let close = text.rfind(')').unwrap_or(text.len());
    let mut lines = vec![text[..=open].to_owned()];
    let mut from = open + 1;
    let mut depth = 0;
    for (at, c) in text[..close].char_indices().skip_while(|(at, _)| *at <= open) {
        match c {
            '(' => depth += 1,
            ')' => depth -= 1,
            ',' if depth == 0 => {
                lines.push(format!("    {},", text[from..at].trim()));
                from = at + 1;
            }
            _ => {}
        }
    }
    lines.push(format!("    {}{}", text[from..close].trim(), &text[close..]));
    lines.join("\n")
}
