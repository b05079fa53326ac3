//! However many formats and instances a process holds, there is one home.

use catena_tests::bundle::{Bundle, threads_named};
use catena_tests::container_host::{ClapFile, ClapHost};
use catena_tests::daw::with_fixtures;
use catena_tests::vst3_host::Vst3Module;

#[test]
fn two_formats_in_one_process_share_one_home() {
    with_fixtures("two_formats_in_one_process_share_one_home", || {
        let bundle = Bundle::new();
        assert_eq!(threads_named("catena-home"), 0);
        let file = ClapFile::open(&bundle.clap());
        let module = Vst3Module::open(&bundle.vst3_module());
        let names: Vec<_> = module.classes().into_iter().map(|class| class.name).collect();
        assert_eq!(names, ["Catena", "Catena Instrument"]);
        let clap =
            [ClapHost::new(&file, "catena-audio.catena"), ClapHost::new(&file, "catena-audio.catena-instrument")];
        let vst3 = [module.make(b"CatenaAudioChain"), module.make(b"CatenaAudioInstr")];
        // A thread takes its name a moment after it began: one that has answered has it.
        clap.iter().for_each(|host| assert!(host.save().is_some()));
        vst3.iter().for_each(|host| assert!(!host.state().is_empty()));
        assert_eq!(threads_named("catena-home"), 1);
    });
}
