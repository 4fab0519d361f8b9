/** `assumed`: the page names no status. */
export const INTERCOM_RULES = {
  /** With user_id and email, the hash is of user_id. */
  identity: {
    value: 'HMAC-SHA256 of user_id with the identity secret, hex',
    source: 'https://developers.intercom.com/installing-intercom/docs/enable-identity-verification-on-your-web-product',
  },
  /** A user without a valid hash gets no conversation. */
  refusal: { status: 403, assumed: true, source: 'https://developers.intercom.com/installing-intercom/docs/enable-identity-verification-on-your-web-product' },
  attributes: { value: 'names of the boot call', source: 'https://developers.intercom.com/installing-intercom/web/attributes-objects' },
  /** Pixels of both paddings. */
  padding: { least: 20, source: 'https://developers.intercom.com/installing-intercom/web/attributes-objects' },
} as const
