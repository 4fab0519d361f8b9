/** `assumed`: the version that was read has the message of the refusal, and neither its status nor the form of a number. */
export const CHATWOOT_RULES = {
  identity: {
    value: 'HMAC-SHA256 of the identifier with the inbox’s token, hex',
    source: 'https://www.chatwoot.com/docs/product/channels/live-chat/sdk/identity-validation/',
  },
  refusal: {
    status: 401,
    message: 'HMAC failed: Invalid Identifier Hash Provided',
    source: 'https://github.com/chatwoot/chatwoot, app/controllers/api/v1/widget/contacts_controller.rb',
    assumed: true,
  },
  /** Of a contact: E.164. */
  phone: { pattern: /^\+[1-9]\d{1,14}$/, source: 'https://github.com/chatwoot/chatwoot, app/models/contact.rb', assumed: true },
  attributes: { value: 'names of setUser', source: 'https://www.chatwoot.com/docs/product/channels/live-chat/sdk/setup' },
} as const
