const RECIPIENT_FIELDS = ['userName', 'email', 'addressLine', 'city', 'state', 'postalCode', 'country'] as const

/** Recipient lines as on the document; empty ones are omitted. */
export const formatRecipientLines = (to: Readonly<Record<string, string>>): string[] => RECIPIENT_FIELDS.flatMap((name) => to[name]?.trim() || [])
