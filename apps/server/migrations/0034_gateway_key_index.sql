-- Gateway: calls of one key are found through the sums by hour, like those of one model (decision 0014): an index less for every call to write.

drop index gateway_usage_key;
