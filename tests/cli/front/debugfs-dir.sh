mkdir -p debugfs/tracing/events/shop/sell
printf 'name: sell\nID: 7\nformat:\n\nprint fmt: ""\n' >debugfs/tracing/events/shop/sell/format
perf --debugfs-dir $PWD/debugfs list 'shop:*'
PERF_DEBUGFS_DIR=$PWD/debugfs perf list --raw-dump 'shop:*'
