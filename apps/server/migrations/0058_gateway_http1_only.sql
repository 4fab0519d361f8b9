-- Upstreams are spoken to over HTTP/1.1 alone (decision 0049).
alter table gateway_upstreams drop column http;
