const page = (code: number) => `https://www.twilio.com/docs/api/errors/${code}`

/** Errors by code: HTTP status, message, and Twilio's page of the error. `assumed`: the page was not read. */
export const TWILIO_ERRORS = {
  20002: { status: 400, message: 'Invalid FriendlyName', source: page(20002) },
  20003: { status: 401, message: 'Authenticate', source: page(20003), assumed: true },
  20404: { status: 404, message: 'The requested resource was not found', source: page(20404), assumed: true },
  20429: { status: 429, message: 'Too Many Requests', source: page(20429) },
  20500: { status: 500, message: 'Internal Server Error', source: page(20500), assumed: true },
  21211: { status: 400, message: "Invalid 'To' Phone Number", source: page(21211) },
  21402: { status: 400, message: 'Invalid Url', source: page(21402) },
  21404: { status: 400, message: 'Account is not allowed to purchase phone numbers: the balance is too low', source: page(21404), assumed: true },
  21408: { status: 400, message: "Permission to send an SMS has not been enabled for the region indicated by the 'To' number", source: page(21408) },
  21421: { status: 400, message: 'PhoneNumber is invalid', source: page(21421), assumed: true },
  21422: { status: 400, message: 'PhoneNumber is not available', source: page(21422), assumed: true },
  21602: { status: 400, message: 'Message body is required', source: page(21602) },
  21603: { status: 400, message: "A 'From' phone number is required", source: page(21603), assumed: true },
  21604: { status: 400, message: "A 'To' phone number is required", source: page(21604), assumed: true },
  21606: { status: 400, message: "The 'From' phone number provided is not a valid message-capable Twilio phone number", source: page(21606) },
  21610: { status: 400, message: 'Attempt to send to unsubscribed recipient', source: page(21610) },
  21614: { status: 400, message: "'To' number is not a valid mobile number", source: page(21614), assumed: true },
  21617: { status: 400, message: 'The concatenated message body exceeds the 1600 character limit', source: page(21617) },
  21701: { status: 400, message: 'The Messaging Service does not exist', source: page(21701), assumed: true },
} as const
export type TwilioErrorCode = keyof typeof TWILIO_ERRORS

/** Limits that the types do not express. */
export const TWILIO_RULES = {
  /** Characters of `Body`; more is 21617. */
  bodyCharacters: { most: 1_600, source: 'https://www.twilio.com/docs/api/errors/21617' },
  /** Characters of `FriendlyName`; else 20002. */
  friendlyName: { least: 1, most: 64, source: 'https://www.twilio.com/es-mx/docs/api/errors/20002' },
  /** Items of a page; `PageSize` above it is cut. */
  pageSize: { usual: 50, most: 1_000, source: 'https://www.twilio.com/docs/usage/twilios-response#pagination' },
  /** E.164: a plus sign and at most 15 digits; else 21211 and 21421. */
  number: { pattern: /^\+[1-9]\d{6,14}$/, source: 'https://www.twilio.com/docs/glossary/what-e164' },
  /** Parameters of a POST are form-encoded; another content type means that none is read. */
  contentType: { value: 'application/x-www-form-urlencoded', source: 'https://www.twilio.com/docs/usage/requests-to-twilio' },
  /** Exactly one of both names the sender; else 21603. */
  sender: { oneOf: ['From', 'MessagingServiceSid'], source: 'https://www.twilio.com/docs/messaging/api/message-resource#create-a-message' },
} as const
