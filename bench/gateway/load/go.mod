module causeway/bench/load

go 1.26
