/** The title of the sign-in dialog and page by mode. */
export const ACCOUNT_AUTH_TITLE_TEXT = { register: 'auth_title_register', login: 'auth_title_login', reset: 'auth_title_reset' } as const
