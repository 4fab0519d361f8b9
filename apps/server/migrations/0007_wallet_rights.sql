-- The doors run as the owner of the tables; what is behind them is closed to the application.
do $$ declare f regprocedure; begin
  for f in select p.oid from pg_proc p where p.pronamespace = 'public'::regnamespace and p.proname in ('wallet_open_account', 'wallet_post',
    'wallet_hold', 'wallet_capture', 'wallet_capture_many', 'wallet_void', 'wallet_extend', 'wallet_resize', 'wallet_expire', 'wallet_expire_lots')
  loop
    execute format('alter function %s security definer set search_path = public, pg_temp', f);
    execute format('alter function %s set plan_cache_mode = force_generic_plan', f);
    execute format('alter function %s set enable_seqscan = off', f);
  end loop;
end $$;
revoke execute on function wallet_refuse, wallet_lock, wallet_journal, wallet_take_lots, wallet_restore_lots, wallet_step, wallet_repay,
  wallet_pending, wallet_close, wallet_capture_write from public, mingxi_app;
