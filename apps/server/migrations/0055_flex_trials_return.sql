-- A trial that never began is not used up.
grant delete on flex_trials to mingxi_app;
