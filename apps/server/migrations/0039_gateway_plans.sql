-- Gateway: what is found by a list of keys is found by index, whatever the table held when the plan was made. These functions keep one
-- plan (force_generic_plan), made in the first moments of a session, when the table of open calls is all but empty: reading it whole was
-- cheapest then, and was done ever after. With 15,000 open calls one end cost 5 ms, with none 32 ends cost 0.44 instead of 0.17 ms.
alter function gateway_close(bigint[], text[]) set enable_seqscan = off;
alter function gateway_close(bigint[], text[]) set enable_hashjoin = off;
alter function gateway_close(bigint[], text[]) set enable_mergejoin = off;
alter function gateway_end_takes(text[], bigint[]) set enable_seqscan = off;
alter function gateway_end_takes(text[], bigint[]) set enable_hashjoin = off;
alter function gateway_end_takes(text[], bigint[]) set enable_mergejoin = off;
alter function gateway_take(text, text[], text[], bigint[], bigint[], float8[]) set enable_seqscan = off;
