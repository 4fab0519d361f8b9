const RECIPIENT_FIELDS = ['userName', 'email', 'addressLine', 'city', 'state', 'postalCode', 'country'] as const

/** As on the paper, one line each; what is empty is left out. */
export const formatRecipientLines = (to: Readonly<Record<string, string>>): string[] => RECIPIENT_FIELDS.flatMap((name) => to[name]?.trim() || [])
