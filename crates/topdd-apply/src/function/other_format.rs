//! Formats of formulas that are recognised, to be refused by name.

/// Another format of formulas.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum OtherFormat {
    Dnf,
    Nnf,
    Opb,
    Uvl,
    Wcnf,
    Xml,
}

impl OtherFormat {
    /// The format of a file by its ending, also if it is packed.
    pub(super) fn by_ending(name: &str) -> Option<Self> {
        let name = name.to_ascii_lowercase();
        Some(match name.strip_suffix(".gz").unwrap_or(&name).rsplit_once('.')?.1 {
            "dnf" => OtherFormat::Dnf,
            "nnf" | "ddnnf" => OtherFormat::Nnf,
            "opb" | "wbo" | "pbo" => OtherFormat::Opb,
            "uvl" => OtherFormat::Uvl,
            "wcnf" => OtherFormat::Wcnf,
            "xml" => OtherFormat::Xml,
            _ => return None,
        })
    }

    /// The format of a text by the words of its first line that is no comment.
    pub(super) fn by_first_line(words: &[&str]) -> Option<Self> {
        Some(match *words {
            ["p", "dnf", ..] => OtherFormat::Dnf,
            ["p", "wcnf", ..] | ["h", ..] => OtherFormat::Wcnf,
            ["nnf", ..] => OtherFormat::Nnf,
            // A line of d4 has numbers after the letter, the last of which is 0.
            ["o" | "a" | "t" | "f", ref numbers @ ..] if numbers.last() == Some(&"0") => {
                OtherFormat::Nnf
            }
            ["features" | "namespace" | "include" | "imports" | "language", ..] => OtherFormat::Uvl,
            [first, ..] if first.starts_with('<') => OtherFormat::Xml,
            [first, ..]
                if first.starts_with('*')
                    || matches!(first, "min:" | "max:")
                    || words.last().is_some_and(|last| last.ends_with(';')) =>
            {
                OtherFormat::Opb
            }
            _ => return None,
        })
    }

    /// The reason why the format is refused, with a remedy.
    pub(super) fn reason(self) -> String {
        let (name, remedy) = match self {
            OtherFormat::Dnf => (
                "DNF, a disjunction",
                "negate each literal to get the CNF of its negation, whose models are the assignments that are not models of the DNF",
            ),
            OtherFormat::Nnf => {
                ("NNF, a formula that is compiled already", "give the CNF from which it was made")
            }
            OtherFormat::Opb => (
                "OPB, pseudo-Boolean constraints",
                "encode them as CNF, or write each as `constraint::linear` in Rust",
            ),
            OtherFormat::Uvl => ("UVL, a feature model", "export it as DIMACS CNF"),
            OtherFormat::Wcnf => (
                "WCNF of MaxSAT, where clauses have weights",
                "if only literals have weights, write `c p weight` lines in a file that ends in .cnf",
            ),
            OtherFormat::Xml => ("XML, such as a feature model", "export it as DIMACS CNF"),
        };
        format!("this is {name}, and not DIMACS CNF; {remedy}")
    }
}
