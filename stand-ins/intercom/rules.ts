export const INTERCOM_RULES = {
  /** With user_id and email, the hash is of user_id. */
  identity: {
    value: 'HMAC-SHA256 of user_id with the identity secret, hex',
    source: 'https://developers.intercom.com/installing-intercom/docs/enable-identity-verification-on-your-web-product',
  },
  /** A user without a valid hash gets no conversation. */
  refusal: { status: 403, source: 'https://developers.intercom.com/installing-intercom/docs/enable-identity-verification-on-your-web-product' },
  attributes: { value: 'names of the boot call', source: 'https://developers.intercom.com/installing-intercom/web/attributes-objects' },
  padding: { least: 20, source: 'https://www.intercom.com/help/en/articles/186-customize-the-intercom-messenger-technical' },
} as const
