//! One JACK client that calls each plugin's run function, and nothing else.

use host_core::backend::audio::{Block, EventBuffer, ParamQueue};
use host_core::backend::{self, Activation, PluginAudio};
use host_core::home::home;
use host_core::model::{Folders, GRID, PluginId};
use host_core::scan;
use jack::contrib::ClosureProcessHandler;
use jack::{AudioIn, AudioOut, Client, ClientOptions, Control, LoggerType, ProcessScope};

use crate::clap_bench::host;

/// Plays until it is ended from outside.
pub fn play(name: &str, plugins: &[PluginId]) {
    jack::set_logger(LoggerType::None);
    let (client, _) = Client::new(name, ClientOptions::NO_START_SERVER).expect("the server takes a client");
    let rate = client.sample_rate() as f64;
    let plugins = plugins.to_vec();
    let open = move || -> Vec<Box<dyn PluginAudio>> {
        let catalog = scan::cached(&Folders::from_env()).expect("a scan's cache");
        let how = Activation { rate, min_block: 1, max_block: 8192, offline: false };
        let one = |id: &PluginId| {
            let entry = catalog.find(id).unwrap_or_else(|| panic!("{id} is not installed"));
            let mut main = backend::open(entry, &host()).unwrap_or_else(|error| panic!("{error}"));
            let audio = main.activate(how).unwrap_or_else(|error| panic!("{error}"));
            // Lives as long as this process.
            std::mem::forget(main);
            audio
        };
        plugins.iter().map(one).collect()
    };
    let chain = home().and_then(|home| home.ask(std::time::Duration::from_secs(30), open)).expect("home opens them");
    let process = process(&client, chain);
    let _running = client.activate_async((), ClosureProcessHandler::new(process)).expect("active");
    loop {
        std::thread::park();
    }
}

fn process(
    client: &Client,
    mut chain: Vec<Box<dyn PluginAudio>>,
) -> impl FnMut(&Client, &ProcessScope) -> Control + Send + 'static {
    let inputs = [1, 2].map(|i| client.register_port(&format!("in_{i}"), AudioIn::default()).expect("a port"));
    let mut outputs = [1, 2].map(|i| client.register_port(&format!("out_{i}"), AudioOut::default()).expect("a port"));
    let (events, mut events_out) = (EventBuffer::new(16, false), EventBuffer::new(16, false));
    let mut params_out = ParamQueue::new(64);
    let (mut time, mut started) = (0, false);
    move |_: &Client, scope: &ProcessScope| {
        let frames = scope.n_frames() as usize;
        if !std::mem::replace(&mut started, true) {
            chain.iter_mut().for_each(|plugin| assert!(plugin.start()));
        }
        for (i, input) in inputs.iter().enumerate() {
            chain[0].buffers().inputs[0].channels[i][..frames].copy_from_slice(input.as_slice(scope));
        }
        for at in 0..chain.len() {
            let (before, rest) = chain.split_at_mut(at);
            let plugin = &mut rest[0];
            if let Some(last) = before.last_mut() {
                let from = &last.buffers().outputs[0];
                for (to, from) in plugin.buffers().inputs[0].channels.iter_mut().zip(&from.channels) {
                    to[..frames].copy_from_slice(&from[..frames]);
                }
            }
            events_out.clear();
            params_out.clear();
            plugin.run(&mut Block {
                frames: frames as u32,
                steady_time: time,
                grid: GRID,
                transport: None,
                events: &events,
                params: &[],
                events_out: &mut events_out,
                params_out: &mut params_out,
            });
        }
        time += frames as i64;
        if let Some(last) = chain.last_mut() {
            for (output, from) in outputs.iter_mut().zip(&last.buffers().outputs[0].channels) {
                output.as_mut_slice(scope).copy_from_slice(&from[..frames]);
            }
        }
        Control::Continue
    }
}
