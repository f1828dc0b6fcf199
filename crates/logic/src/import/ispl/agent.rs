//! Tokens to trees: an agent and its parts.

use super::lexer::{Section, Tok};
use super::parser::{Parser, Read};
use super::tree::*;
use super::{MAX_VALUES, Reported};
use crate::formula::Cmp;
use crate::syntax::{Code, Diagnostic};

impl<'t> Parser<'t> {
    /// An agent, and whether its declarations could all be read.
    pub(super) fn agent(&mut self) -> Read<(AgentTree<'t>, bool)> {
        let name = self.word("the name of the agent")?;
        let mut agent = AgentTree {
            name,
            parts: Vec::new(),
            obsvars: Vec::new(),
            vars: Vec::new(),
            lobsvars: Vec::new(),
            actions: Vec::new(),
            protocol: Vec::new(),
            evolution: Vec::new(),
            red: Vec::new(),
            green: Vec::new(),
        };
        let mut whole = true;
        loop {
            let token = self.token(0);
            match token.tok {
                Tok::End if self.ahead(1) == Tok::Section(Section::Agent) => {
                    self.bump();
                    self.bump();
                    return Ok((agent, whole));
                }
                Tok::Section(section) if section.of_agent() => {
                    if agent.parts.contains(&section) {
                        let message = format!("a second `{}` of `{}`", section.word(), name.text);
                        self.problems.push(Diagnostic::new(Code::Duplicate, token.span, message).label("again here"));
                    }
                    agent.parts.push(section);
                    self.bump();
                    whole &= self.agent_part(section, &mut agent);
                }
                Tok::End => {
                    whole &= self.close(Section::Agent).is_ok();
                }
                Tok::Section(_) | Tok::Eof => {
                    whole &= self.close(Section::Agent).is_ok();
                    return Ok((agent, whole));
                }
                _ => {
                    whole = false;
                    let _: Read<()> = self.unexpected("a part of the agent or `end Agent`");
                    self.skip_part();
                }
            }
        }
    }

    /// A part of an agent, after its keyword; whether its declarations could be read.
    fn agent_part(&mut self, section: Section, agent: &mut AgentTree<'t>) -> bool {
        let list = matches!(section, Section::Actions | Section::Lobsvars);
        let opened = match list {
            true => self.expect(Tok::Eq, "`=` and names in braces"),
            false => self.expect(Tok::Colon, "`:`"),
        };
        if opened.is_err() {
            self.skip_part();
            return false;
        }
        match section {
            Section::Actions | Section::Lobsvars => {
                let wanted = if section == Section::Actions { "an action" } else { "a variable of `Environment`" };
                let names = self.braces(wanted, true).and_then(|names| {
                    self.expect(Tok::Semi, "`;`")?;
                    Ok(names)
                });
                let Ok(names) = names else {
                    self.skip_statement();
                    return false;
                };
                let target = if section == Section::Actions { &mut agent.actions } else { &mut agent.lobsvars };
                target.extend(names);
                true
            }
            Section::Vars | Section::Obsvars => {
                let (all, whole) = self.statements(section, Parser::variable);
                let target = if section == Section::Vars { &mut agent.vars } else { &mut agent.obsvars };
                target.extend(all);
                whole
            }
            Section::Protocol => {
                agent.protocol.extend(self.statements(section, Parser::allow).0);
                true
            }
            Section::Evolution => {
                agent.evolution.extend(self.statements(section, Parser::rule).0);
                true
            }
            Section::RedStates | Section::GreenStates => {
                let (all, _) = self.statements(section, |p| {
                    let condition = p.condition()?;
                    p.expect(Tok::Semi, "an operator or `;`")?;
                    Ok(condition)
                });
                let target = if section == Section::RedStates { &mut agent.red } else { &mut agent.green };
                target.extend(all);
                true
            }
            Section::Semantics
            | Section::Agent
            | Section::Evaluation
            | Section::InitStates
            | Section::Groups
            | Section::Fairness
            | Section::Formulae => true,
        }
    }

    /// `{a, b}`.
    pub(super) fn braces(&mut self, wanted: &str, may_be_empty: bool) -> Read<Vec<Word<'t>>> {
        self.expect(Tok::LBrace, "`{`")?;
        let mut names = Vec::new();
        if may_be_empty && self.eat(Tok::RBrace) {
            return Ok(names);
        }
        loop {
            names.push(self.word(wanted)?);
            if !self.eat(Tok::Comma) {
                self.expect(Tok::RBrace, "`,` or `}`")?;
                return Ok(names);
            }
        }
    }

    /// `x : boolean;`, `x : 1..3;` or `x : {a, b};`.
    fn variable(&mut self) -> Read<VarTree<'t>> {
        let name = self.word("a variable")?;
        self.expect(Tok::Colon, "`:` and a type")?;
        let domain = match self.peek() {
            Tok::LBrace => Domain::Values(self.braces("a value", false)?),
            Tok::Int | Tok::Minus => {
                let start = self.span();
                let low = self.integer()?;
                self.expect(Tok::DotDot, "`..`")?;
                let high = self.integer()?;
                let span = start.to(self.before());
                if high < low {
                    let problem = Diagnostic::new(Code::Number, span, "an empty range");
                    return self.fail(problem.label(format!("from {low} to {high} there is no number")));
                }
                if high.abs_diff(low) >= MAX_VALUES {
                    let problem = Diagnostic::new(Code::Large, span, "too many values for one variable");
                    return self.fail(problem.label(format!("more than {}", MAX_VALUES)));
                }
                Domain::Range(low, high)
            }
            Tok::Name if self.is_word("boolean") => {
                self.bump();
                Domain::Boolean
            }
            _ => return self.unexpected("a type: `boolean`, `1..3` or `{a, b}`"),
        };
        self.expect(Tok::Semi, "`;`")?;
        Ok(VarTree { name, domain })
    }

    /// `guard : {a, b};` or `Other : {a};`.
    fn allow(&mut self) -> Read<AllowTree<'t>> {
        let start = self.span();
        let guard = if self.is_word("Other") && self.ahead(1) == Tok::Colon {
            self.bump();
            None
        } else {
            Some(self.condition()?)
        };
        self.expect(Tok::Colon, "an operator or `:` and actions")?;
        let actions = self.braces("an action", true)?;
        let end = self.expect(Tok::Semi, "`;`")?;
        Ok(AllowTree { guard, actions, span: start.to(end) })
    }

    /// `x = 1 and y = z if guard;`.
    fn rule(&mut self) -> Read<RuleTree<'t>> {
        let start = self.span();
        self.modal = false;
        let changes = self.disjunction()?;
        let mut sets = Vec::new();
        self.sets(changes, &mut sets)?;
        self.expect(Tok::If, "an operator or `if` and a condition")?;
        let guard = self.condition()?;
        let end = self.expect(Tok::Semi, "an operator or `;`")?;
        Ok(RuleTree { sets, guard, span: start.to(end) })
    }

    /// Takes a conjunction of `target = value` apart.
    fn sets(&mut self, changes: Expr<'t>, all: &mut Vec<SetTree<'t>>) -> Read<()> {
        let span = changes.span;
        match changes.kind {
            Kind::And(parts) => parts.into_iter().try_for_each(|part| self.sets(part, all)),
            Kind::Compare(Cmp::Eq, target, value) if matches!(target.kind, Kind::Name(_) | Kind::Of(..)) => {
                let (owner, target) = match target.kind {
                    Kind::Of(owner, name) => (Some(owner), name),
                    Kind::Name(text) => (None, Word { text, span: target.span }),
                    _ => return Err(Reported),
                };
                all.push(SetTree { owner, target, value: *value, span });
                Ok(())
            }
            _ => self.fail(
                Diagnostic::new(Code::Syntax, span, "expected changes before `if`")
                    .label("not `variable = value`")
                    .help("several changes are joined with `and`: `x = 1 and y = 2 if …`"),
            ),
        }
    }
}
