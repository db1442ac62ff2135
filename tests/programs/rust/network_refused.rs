use std::net::{TcpListener, TcpStream, ToSocketAddrs, UdpSocket};

fn main() -> Result<(), gg::Failure> {
    println!("{:?}", TcpListener::bind("127.0.0.1:0").map(|_| ()).map_err(|e| e.to_string()));
    println!("{:?}", UdpSocket::bind("127.0.0.1:0").map(|_| ()).map_err(|e| e.to_string()));
    println!("{:?}", "example.org:80".to_socket_addrs().map(|_| ()).map_err(|e| e.to_string()));
    TcpStream::connect("93.184.216.34:80")?;
    Ok(())
}
