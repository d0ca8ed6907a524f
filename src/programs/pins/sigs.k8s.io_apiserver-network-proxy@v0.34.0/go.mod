module causeway.example/build
go 1.24.7
require sigs.k8s.io/apiserver-network-proxy v0.34.0
replace sigs.k8s.io/apiserver-network-proxy/konnectivity-client => sigs.k8s.io/apiserver-network-proxy/konnectivity-client v0.34.0
