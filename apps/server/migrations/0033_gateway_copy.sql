-- Gateway: a flush is COPY (decision 0021). What is left for a function is the end of open rows, so that its plan is kept.
-- gateway_flush stays for processes of the version before, until they have been replaced.

create function gateway_close(p_calls text[]) returns void language plpgsql set plan_cache_mode = force_generic_plan as $$
begin
  delete from gateway_calls where call_id = any (p_calls);
end $$;
