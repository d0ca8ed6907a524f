module causeway.dev/test/pod

go 1.21
