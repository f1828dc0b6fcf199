use ken_logic::check::{Limits, explicit::Explicit};
use ken_logic::import::model_from_smcdel;
use ken_logic::model::{
    Model,
    enumerate::{Budget, enumerate, find},
};
use ken_logic::syntax::Source;
#[test]
fn show() {
    for f in std::env::var("FILES").unwrap().split(',') {
        let text = std::fs::read_to_string(f).unwrap();
        match model_from_smcdel(&text) {
            Err(ps) => {
                for p in ps {
                    print!("{}", Source { name: f, text: &text }.render(&p));
                }
            }
            Ok(d) => {
                let Model::Law(law) = &d.model else { panic!() };
                let k = enumerate(law, Budget { worlds: 1000, steps: 1000000 }).unwrap().unwrap();
                let mut e = Explicit::new(k.clone(), Limits::default());
                for q in &d.queries {
                    let set = e.check(&q.formula).unwrap();
                    println!(
                        "{:?} {} at {:?} => full {} {:?} at? {:?}",
                        q.kind,
                        q.text,
                        q.at.as_ref().map(|a| a.label()),
                        set.is_full(),
                        set.iter().map(|w| k.facts(w).label()).collect::<Vec<_>>(),
                        q.at.as_ref().map(|a| set.contains(find(&k, a).unwrap()))
                    );
                }
            }
        }
    }
}
