-- What uses of the same user and purpose that began since then have moved counts against this one's traffic: whoever asks for a new password
-- again and again gets none anew. Null: what it moved itself.
alter table proxy_uses add column counted_since timestamptz;
