//! The two games that the thesis prints in full: data, transcribed.
//!
//! Players and cards are numbered from 1, as there. A line is a round: the card shown to the agent, how many triples are
//! left then (and after the analysis), and the questions, the agent's first: cards, who asks, who answers; 0 where nobody
//! does.

/// A printed game; the agent, player 1, asks the winning triple in the round after the last.
pub(crate) struct Printed {
    pub(crate) hands: [[u8; 3]; 6],
    pub(crate) win: [u8; 3],
    /// How many triples the agent's hand leaves.
    pub(crate) first: usize,
    rounds: &'static str,
}

/// One round.
pub(crate) struct Round {
    pub(crate) shown: u8,
    pub(crate) left: usize,
    pub(crate) analyzed: usize,
    pub(crate) questions: Vec<Question>,
}

/// Three cards, who asks, who answers.
pub(crate) type Question = ([u8; 3], u8, u8);

impl Printed {
    pub(crate) fn rounds(&self) -> Vec<Round> {
        self.rounds.trim().lines().map(round).collect()
    }
}

fn round(line: &str) -> Round {
    let numbers = |text: &str| -> Vec<usize> {
        text.split(|c: char| !c.is_ascii_digit()).filter(|t| !t.is_empty()).map(|t| t.parse().unwrap()).collect()
    };
    let (head, questions) = line.split_once(':').unwrap();
    let head = numbers(head);
    let question = |n: &[usize]| ([n[0] as u8, n[1] as u8, n[2] as u8], n[3] as u8, n[4] as u8);
    let questions = numbers(questions).chunks(5).map(question).collect();
    Round { shown: head[0] as u8, left: head[1], analyzed: *head.last().unwrap(), questions }
}

/// Appendix A: without modal logic. Twice an opponent asks the winning triple (printed as answered by `[0]`), and once a
/// triple of winning cards and a card of its own (printed as an unbound variable).
pub(crate) const A: Printed = Printed {
    hands: [[15, 8, 9], [19, 10, 18], [17, 13, 6], [11, 14, 1], [21, 7, 16], [3, 2, 5]],
    win: [4, 12, 20],
    first: 192,
    rounds: "
7 144: 4,7,16 1>5  5,11,16 2>4  6,12,21 3>5  6,8,14 4>1  1,11,17 5>3  4,12,19 6>2
17 126: 2,11,17 1>3  6,10,17 2>3  4,7,18 3>5  4,12,20 4>0  3,11,13 5>6  6,9,16 6>1
19 108: 5,11,19 1>2  6,7,14 2>3  1,10,20 3>4  1,7,16 4>5  1,10,19 5>2  1,7,13 6>3
10 72: 3,10,18 1>2  6,11,17 2>3  6,7,21 3>5  6,7,18 4>5  5,8,15 5>6  3,7,18 6>2
13 60: 6,11,13 1>3  4,10,16 2>5  4,12,20 3>0  2,7,18 4>5  5,12,15 5>6  2,7,20 6>5
21 48: 3,12,21 1>5  6,11,17 2>3  4,11,16 3>4  4,7,21 4>5  6,7,18 5>2  3,11,19 6>2
6 40: 6,12,20 1>3  6,10,16 2>3  6,12,19 3>2  1,11,17 4>3  3,8,19 5>6  5,10,15 6>1
18 30: 4,12,18 1>2  5,12,21 2>5  5,12,19 3>6  2,11,20 4>6  4,12,16 5>0  3,12,15 6>1
11 15: 1,11,14 1>4  4,8,17 2>3  1,10,15 3>4  4,7,15 4>5  4,12,18 5>2  3,7,16 6>5
14 10: 1,12,14 1>4  2,11,14 2>4  1,11,21 3>4  6,9,19 4>1  6,11,17 5>3  4,8,13 6>1
1 8: 1,12,20 1>4  6,7,21 2>3  1,7,15 3>4  4,7,18 4>5  6,11,16 5>3  5,8,14 6>1
2 6: 2,12,20 1>6  4,11,14 2>4  3,10,18 3>6  6,7,21 4>5  1,10,18 5>2  5,12,19 6>2
5 4: 5,12,20 1>6  5,11,15 2>4  5,11,18 3>4  5,7,17 4>5  4,7,17 5>3  3,10,15 6>1
3 2: 3,12,20 1>6  2,10,17 2>3  3,12,16 3>5  5,11,20 4>6  1,9,16 5>1  4,7,13 6>3
",
};

/// Appendix B: with modal logic, in spite of its heading. Here the others ask for winning cards (2 and 11 in round 1) and
/// the winning answer is `[0]`: not so in the printed program, so an earlier version was at work.
pub(crate) const B: Printed = Printed {
    hands: [[5, 13, 12], [8, 10, 4], [17, 3, 20], [14, 18, 6], [19, 1, 9], [16, 15, 7]],
    win: [2, 11, 21],
    first: 200,
    rounds: "
18 175 175: 2,9,18 1>4  6,12,19 2>4  3,11,15 3>6  3,12,14 4>1  2,12,16 5>6  2,11,14 6>4
3 140 140: 3,7,15 1>3  3,10,13 2>3  2,8,19 3>5  4,9,17 4>5  5,9,17 5>1  5,12,14 6>1
10 112 112: 1,10,15 1>2  1,9,20 2>3  6,7,19 3>4  5,10,13 4>1  6,10,14 5>2  3,8,18 6>2
15 96 72: 2,7,15 1>6  1,12,20 2>3  3,10,18 3>4  4,11,18 4>2  2,7,17 5>6  1,10,14 6>2
4 48 30: 4,11,20 1>2  6,8,14 2>4  6,7,20 3>4  3,8,19 4>5  4,11,18 5>2  1,11,15 6>5
17 24 6: 2,11,17 1>3  1,8,16 2>5  3,8,13 3>1  6,9,18 4>5  3,8,18 5>2  5,9,15 6>1
14 4 4: 2,11,14 1>4  3,10,13 2>3  5,10,15 3>6  3,12,13 4>1  4,12,18 5>1  4,11,14 6>2
",
};
