module agent

go 1.18
