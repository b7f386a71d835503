// Uses what agents in Rust commonly use, then prints a line for each line it reads.
use std::{fs, io, panic, process, thread, time};

fn main() {
    thread::spawn(|| thread::sleep(time::Duration::from_millis(1))).join().unwrap();
    let file = std::env::temp_dir().join(format!("calls-{}", process::id()));
    fs::write(&file, "x").unwrap();
    fs::remove_file(&file).unwrap();
    assert!(process::Command::new("/bin/true").status().unwrap().success());
    thread::available_parallelism().unwrap();
    panic::set_hook(Box::new(|_| ()));
    assert!(panic::catch_unwind(|| panic!()).is_err());
    for line in io::stdin().lines() {
        println!("{}", line.unwrap());
    }
}
