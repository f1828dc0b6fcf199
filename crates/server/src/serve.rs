//! The server: listening, stopping, and the application without a network.

use crate::app::App;
use crate::config::Config;
use crate::routes;
use std::fs::File;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;
use tokio::net::TcpListener;

/// How often idle tables are looked for.
const SWEEP: Duration = Duration::from_secs(30);

/// How long requests in progress may take when the server goes down.
const FAREWELL: Duration = Duration::from_secs(10);

/// The application without a network: requests in, answers out. Nobody sweeps idle tables here.
pub fn in_process(config: Config) -> Result<axum::Router, String> {
    App::open(config).map(|app| routes::router(&app))
}

/// A server that listens.
pub struct Server {
    app: Arc<App>,
    listener: TcpListener,
    /// Held so that no other server uses the same data.
    _lock: File,
}

impl Server {
    /// Opens the data folder and listens. The error is a sentence for people.
    pub async fn open(config: Config) -> Result<Server, String> {
        let (address, data) = (config.address, config.data.clone());
        let app = App::open(config)?;
        let file = data.join("lock");
        let lock = File::create(&file).map_err(|e| format!("`{}` cannot be made: {e}", file.display()))?;
        lock.try_lock().map_err(|_| {
            format!("another server uses the data folder `{}`; stop it, or choose another with --data", data.display())
        })?;
        let listener = TcpListener::bind(address)
            .await
            .map_err(|e| format!("cannot listen on {address}: {e}; choose another port with --port"))?;
        Ok(Server { app, listener, _lock: lock })
    }

    /// Where it listens.
    pub fn address(&self) -> std::io::Result<SocketAddr> {
        self.listener.local_addr()
    }

    /// Answers until `stop` is ready, then finishes what it is doing and stores what is left.
    pub async fn run(self, stop: impl Future<Output = ()> + Send + 'static) -> std::io::Result<()> {
        let Server { app, listener, _lock } = self;
        let sweeper = {
            let app = Arc::clone(&app);
            tokio::spawn(async move {
                loop {
                    tokio::time::sleep(SWEEP).await;
                    app.hall.sweep(&app);
                }
            })
        };
        let router = routes::router(&app).into_make_service_with_connect_info::<SocketAddr>();
        let stopping = Arc::clone(&app);
        let stopped = async move {
            stop.await;
            stopping.closing.send_replace(true);
        };
        let mut closing = app.closing.subscribe();
        let serving = axum::serve(listener, router).with_graceful_shutdown(stopped);
        let too_long = async move {
            let _ = closing.wait_for(|c| *c).await;
            tokio::time::sleep(FAREWELL).await;
        };
        let done = tokio::select! {
            done = std::future::IntoFuture::into_future(serving) => done,
            () = too_long => Ok(()),
        };
        sweeper.abort();
        app.store.close();
        done
    }
}

/// Ready when the process is asked to stop, by the terminal or by the system.
pub async fn asked_to_stop() {
    let terminal = async {
        if tokio::signal::ctrl_c().await.is_err() {
            std::future::pending::<()>().await;
        }
    };
    #[cfg(unix)]
    let system = async {
        match tokio::signal::unix::signal(tokio::signal::unix::SignalKind::terminate()) {
            Ok(mut signal) => drop(signal.recv().await),
            Err(_) => std::future::pending().await,
        }
    };
    #[cfg(not(unix))]
    let system = std::future::pending::<()>();
    tokio::select! {
        () = terminal => {}
        () = system => {}
    }
}

/// Serves until it is asked to stop. `ready` hears the address once it listens. The error is a sentence for people.
///
/// Panics are logged by their place alone: their words may hold what is hidden.
pub fn serve(config: Config, ready: impl FnOnce(SocketAddr)) -> Result<(), String> {
    std::panic::set_hook(Box::new(|panic| {
        let place = panic.location().map_or_else(String::new, ToString::to_string);
        tracing::error!(place, "panicked");
    }));
    let filter = tracing_subscriber::EnvFilter::try_from_env("KEN_LOG")
        .unwrap_or_else(|_| tracing_subscriber::EnvFilter::new("warn"));
    // Somebody may have set up logging already: then theirs is used.
    let _ = tracing_subscriber::fmt().json().with_env_filter(filter).with_writer(std::io::stderr).try_init();
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .build()
        .map_err(|e| format!("threads cannot be started: {e}"))?;
    runtime.block_on(async {
        let server = Server::open(config).await?;
        ready(server.address().map_err(|e| e.to_string())?);
        server.run(asked_to_stop()).await.map_err(|e| format!("the server stopped: {e}"))
    })
}
