//! The one way to lay out a `.ken` file.
//!
//! Lines stay where their author broke them. Statements start at the margin, what continues them is indented; runs of
//! spaces shrink to one; binary connectives have a space on both sides; the `expect` of neighbouring questions line
//! up. Comments and single blank lines are kept. Formatting never changes a token, and formatting twice changes nothing.

use super::diagnostic::{Diagnostic, Span};
use super::lexer::{Comment, Lexed, Tok, Token, lex};
use super::parser::Parser;
use super::statements::STATEMENTS;

/// Lines are not padded beyond this to line up their `expect`.
const WIDTH: usize = 110;

/// The text laid out, or what keeps it from being read.
pub fn format(text: &str) -> Result<String, Vec<Diagnostic>> {
    let mut parser = Parser::new(text);
    parser.file();
    if !parser.problems.is_empty() {
        return Err(parser.problems);
    }
    let Lexed { tokens, comments, .. } = lex(text);
    let mut layout = Layout { text, lines: Vec::new(), depth: 0 };
    layout.run(&tokens, &comments);
    Ok(layout.finish())
}

struct Line {
    indent: usize,
    code: String,
    /// Where `expect` starts in `code`, if the line is a question.
    expect: Option<usize>,
    comment: String,
}

struct Layout<'t> {
    text: &'t str,
    lines: Vec<Line>,
    /// Braces open at the start of the line.
    depth: usize,
}

impl Layout<'_> {
    fn slice(&self, span: Span) -> &str {
        &self.text[span.start as usize..span.end as usize]
    }

    fn run(&mut self, tokens: &[Token], comments: &[Comment]) {
        let tokens = &tokens[..tokens.len() - 1];
        let mut comments = comments.iter().peekable();
        let mut at = 0;
        let mut end = 0;
        loop {
            let comment = comments.peek().map(|c| c.span.start);
            let token = tokens.get(at).map(|t| t.span.start);
            let (Some(start), own_line) = (match (token, comment) {
                (None, None) => break,
                (Some(t), Some(c)) if c < t => (Some(c), true),
                (None, Some(c)) => (Some(c), true),
                (Some(t), _) => (Some(t), false),
            }) else {
                break;
            };
            let gap = &self.text[end as usize..start as usize];
            if gap.matches('\n').count() > 1 && !self.lines.is_empty() {
                self.lines.push(Line { indent: 0, code: String::new(), expect: None, comment: String::new() });
            }
            if own_line {
                if let Some(c) = comments.next() {
                    let comment = self.slice(c.span).trim_end().to_string();
                    let indent = self.comment_indent(tokens.get(at));
                    self.lines.push(Line { indent, code: String::new(), expect: None, comment });
                    end = c.span.end;
                }
                continue;
            }
            let stop = (at + 1..tokens.len()).find(|&i| tokens[i].first_on_line).unwrap_or(tokens.len());
            let mut line = self.line(&tokens[at..stop]);
            end = tokens[stop - 1].span.end;
            let next_start = tokens.get(stop).map_or(u32::MAX, |t| t.span.start);
            if let Some(c) = comments.next_if(|c| !c.first_on_line && c.span.start < next_start) {
                line.comment = self.slice(c.span).trim_end().to_string();
                end = c.span.end;
            }
            self.lines.push(line);
            at = stop;
        }
    }

    fn comment_indent(&self, next: Option<&Token>) -> usize {
        match next {
            Some(token) if self.depth > 0 && token.tok != Tok::RBrace => 2,
            Some(token) if !STATEMENTS.contains(&self.slice(token.span)) => 2,
            _ => 0,
        }
    }

    fn line(&mut self, tokens: &[Token]) -> Line {
        let first = tokens[0];
        let word = self.slice(first.span);
        let statement = STATEMENTS.contains(&word) && (self.depth == 0 || !matches!(word, "confuse" | "edges"));
        let closing = first.tok == Tok::RBrace;
        let indent = if statement || (closing && self.depth == 1) { 0 } else { 2 };
        let mut code = String::new();
        let mut expect = None;
        let question = statement && matches!(word, "check" | "where" | "count");
        for (i, token) in tokens.iter().enumerate() {
            if i > 0 && self.space_between(&tokens[i - 1], token) {
                code.push(' ');
            }
            if question && self.slice(token.span) == "expect" {
                expect = Some(code.chars().count());
            }
            code.push_str(self.slice(token.span));
            match token.tok {
                Tok::LBrace => self.depth += 1,
                Tok::RBrace => self.depth = self.depth.saturating_sub(1),
                _ => {}
            }
        }
        Line { indent, code, expect, comment: String::new() }
    }

    fn space_between(&self, left: &Token, right: &Token) -> bool {
        use Tok::*;
        match (left.tok, right.tok) {
            (LParen | LBracket, _) | (_, RParen | RBracket | Comma) => false,
            (And | Or | Arrow | DoubleArrow | AndAnd | Assign, _) => true,
            (_, And | Or | Arrow | DoubleArrow | AndAnd | Assign) => true,
            _ => right.spaced,
        }
    }

    fn finish(mut self) -> String {
        let mut from = 0;
        while from < self.lines.len() {
            let run = self.lines[from..].iter().take_while(|l| l.expect.is_some()).count();
            let group = &mut self.lines[from..from + run];
            let column = group.iter().filter_map(|l| l.expect).max().unwrap_or(0);
            let fits = group.iter().all(|l| l.code.chars().count() + column - l.expect.unwrap_or(column) <= WIDTH);
            for line in group.iter_mut().filter(|_| fits) {
                if let Some(at) = line.expect {
                    let byte = line.code.char_indices().nth(at).map_or(line.code.len(), |(i, _)| i);
                    line.code.insert_str(byte, &" ".repeat(column - at));
                }
            }
            from += run.max(1);
        }
        let mut out = String::new();
        for line in &self.lines {
            let gap = if line.code.is_empty() || line.comment.is_empty() { "" } else { "  " };
            let text = format!("{}{}{gap}{}", " ".repeat(line.indent), line.code, line.comment);
            out.push_str(text.trim_end());
            out.push('\n');
        }
        out
    }
}
