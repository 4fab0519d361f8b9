const TO = ['userName', 'email', 'addressLine', 'city', 'state', 'postalCode', 'country'] as const

/** As on the paper, one line each; what is empty is left out. */
export const linesOf = (to: Readonly<Record<string, string>>): string[] => TO.flatMap((name) => to[name]?.trim() || [])
