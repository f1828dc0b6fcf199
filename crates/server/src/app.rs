//! What every request shares: configuration, storage, threads, counters, the tables in memory.

use crate::api::Problem;
use crate::config::Config;
use crate::hall::Hall;
use crate::lab::Lab;
use crate::limits::Buckets;
use crate::metrics::Metrics;
use crate::pool::{Lane, Pool, Undone};
use crate::routes::Failed;
use crate::store::{Holder, Store};
use axum::http::StatusCode;
use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::{Arc, Mutex, PoisonError};
use tokio::sync::watch;

/// As many clients as this may ask from one address at their full rate: a household, a class behind a router.
const SHARED: f64 = 10.0;

/// What every request shares.
pub(crate) struct App {
    /// How the server runs.
    pub config: Config,
    /// The matches on disk.
    pub store: Arc<Store>,
    /// Threads for thinking.
    pub pool: Pool,
    /// What is counted.
    pub metrics: Metrics,
    /// The tables in memory.
    pub hall: Hall,
    /// Small runs of experiments.
    pub lab: Arc<Lab>,
    /// How often a client may ask.
    pub requests: Buckets<Holder>,
    /// How often an address may ask, whatever tokens it shows.
    pub(crate) addresses: Buckets<IpAddr>,
    /// How often an address may send somebody new, or begin a match.
    pub newcomers: Buckets<IpAddr>,
    /// Who listens to live news.
    pub listeners: Listeners,
    /// True when the server goes down.
    pub closing: watch::Sender<bool>,
}

impl App {
    /// Everything that a server needs, with its database in the data folder.
    pub(crate) fn open(config: Config) -> Result<Arc<App>, String> {
        std::fs::create_dir_all(&config.data)
            .map_err(|e| format!("the data folder `{}` cannot be made: {e}", config.data.display()))?;
        let store = Store::open(&config.data.join("ken.sqlite"), config.games.clone())
            .map_err(|e| format!("the database in `{}` cannot be opened: {e}", config.data.display()))?;
        let threads = std::thread::available_parallelism().map_or(2, usize::from).max(2);
        let pool = Pool::start(threads).map_err(|e| format!("threads cannot be started: {e}"))?;
        let lab = Lab::open(config.data.join("lab"))
            .map_err(|e| format!("the lab in `{}` cannot be opened: {e}", config.data.display()))?;
        let limits = &config.limits;
        Ok(Arc::new(App {
            requests: Buckets::new(limits.rate, limits.burst),
            addresses: Buckets::new(SHARED * limits.rate, SHARED * limits.burst),
            newcomers: Buckets::new(limits.newcomers / 60.0, limits.newcomers),
            store,
            pool,
            metrics: Metrics::default(),
            hall: Hall::default(),
            lab,
            listeners: Listeners::new(limits.live),
            closing: watch::Sender::new(false),
            config,
        }))
    }

    /// Works on a question of a person, away from the threads that answer requests.
    pub(crate) async fn ask<T: Send + 'static>(
        &self,
        question: impl FnOnce() -> T + Send + 'static,
    ) -> Result<T, Failed> {
        let most = self.config.limits.question;
        match self.pool.run(Lane::Question, most, question).await {
            Ok((answer, time)) => {
                self.metrics.questions.note(time);
                Ok(answer)
            }
            Err(Undone::Panicked) => Err(Failed::internal()),
            Err(Undone::Busy) => {
                let problem = Problem::new("busy", "too many questions at once").help("try again in a moment");
                Err(Failed::new(StatusCode::SERVICE_UNAVAILABLE, problem))
            }
            Err(Undone::TooLong) => {
                let problem = Problem::new("too-long", "this would take too long to find out");
                Err(Failed::new(StatusCode::UNPROCESSABLE_ENTITY, problem))
            }
        }
    }
}

/// Who listens to live news, so that nobody listens too often.
#[derive(Clone)]
pub(crate) struct Listeners {
    most: usize,
    here: Arc<Mutex<HashMap<Holder, usize>>>,
}

/// A place among the listeners, given up when it is dropped.
pub(crate) struct Place(Listeners, Holder);

impl Listeners {
    fn new(most: usize) -> Listeners {
        Listeners { most, here: Arc::default() }
    }

    /// A place for a client, unless it has too many.
    pub(crate) fn enter(&self, who: Holder) -> Option<Place> {
        let mut here = self.here.lock().unwrap_or_else(PoisonError::into_inner);
        let places = here.entry(who).or_insert(0);
        if *places >= self.most {
            return None;
        }
        *places += 1;
        Some(Place(self.clone(), who))
    }

    /// How many places are taken.
    pub(crate) fn count(&self) -> usize {
        self.here.lock().unwrap_or_else(PoisonError::into_inner).values().sum()
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        let mut here = self.0.here.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(places) = here.get_mut(&self.1) {
            *places -= 1;
            if *places == 0 {
                here.remove(&self.1);
            }
        }
    }
}
