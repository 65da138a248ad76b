# each key is another column, in descending order
for key in sample percent_sample percent_time min_t max_t mean_t time; do
	echo "$key"
	perf kvm -i $DATA/kvm.data stat report -f -k $key | sed -n '4,9p'
done
