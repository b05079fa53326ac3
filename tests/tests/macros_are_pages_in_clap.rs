//! A CLAP host is offered the macros as pages of eight, called by what their macros are called, and told when that changes.

use std::sync::atomic::Ordering::SeqCst;

use catena_tests::bundle::Bundle;
use catena_tests::container_host::{ClapFile, ClapHost};
use catena_tests::daw::{chain, chain_with_macros, with_fixtures};
use host_core::model::{Law, MacroId};
use host_core::store;

#[test]
fn sixteen_pages_of_eight_follow_the_names() {
    with_fixtures("sixteen_pages_of_eight_follow_the_names", || {
        let bundle = Bundle::new();
        let file = ClapFile::open(&bundle.clap());
        let host = ClapHost::new(&file, "catena-audio.catena");
        let pages = host.pages();
        assert_eq!(pages.len(), 16);
        let ids: Vec<u32> = pages.iter().flat_map(|page| page.2).collect();
        let macros: Vec<u32> = (1..=128).map(|number| host.macro_id(number)).collect();
        assert_eq!(ids, macros, "in their order");
        assert!(pages.iter().all(|page| page.0 == "Macros"));
        assert_eq!((pages[0].1.as_str(), pages[15].1.as_str()), ("1-8", "121-128"));

        let law = Law::straight(0.0, 2.0);
        let mut mapped =
            store::unpack(&chain_with_macros(&[("gain", &[])], &[(2, 0, "100", law), (9, 0, "100", law)])).unwrap();
        mapped.macro_mut(MacroId::new(5).unwrap()).name = Some("Squeeze".into());
        for (bytes, first, second) in [
            (
                store::pack(&mapped).unwrap(),
                "1-8: catena.fixture.gain: gain, Squeeze",
                "9-16: catena.fixture.gain: gain",
            ),
            (chain(&[]), "1-8", "9-16"),
        ] {
            host.asked.pages.store(0, SeqCst);
            assert!(host.load(&bytes));
            assert!(host.pump_until(|host| host.asked.pages.load(SeqCst) > 0), "the host reads them again");
            let pages = host.pages();
            assert_eq!((pages[0].1.as_str(), pages[1].1.as_str()), (first, second));
            assert_eq!(pages.iter().flat_map(|page| page.2).collect::<Vec<_>>(), macros, "the numbers stay");
        }
    });
}
