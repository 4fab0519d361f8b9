-- Gateway: prices of how a call is served and of the vendors' own tools. Six classes follow the fourteen of before (a cache of twelve hours,
-- searches, prompts, gigabytes and seconds of code containers). A factor multiplies the prices of tokens, in millionths, in this order:
-- flex, priority, fast, us; null where the model does not have it. Older rows are shorter, or have none, and stay as they are.
alter table gateway_prices drop constraint gateway_prices_classes_check;
alter table gateway_prices add constraint gateway_prices_classes_check
  check (cardinality(classes) between 8 and 20 and classes[1] >= 0 and classes[5] >= 0 and 0 <= all (array_remove(classes, null)));
alter table gateway_prices drop constraint gateway_prices_long_classes_check;
alter table gateway_prices add constraint gateway_prices_long_classes_check
  check (cardinality(long_classes) between 8 and 20 and long_classes[1] >= 0 and long_classes[5] >= 0 and 0 <= all (array_remove(long_classes, null)));

alter table gateway_prices add column factors bigint[]
  check (cardinality(factors) = 4 and 0 < all (array_remove(factors, null)));
