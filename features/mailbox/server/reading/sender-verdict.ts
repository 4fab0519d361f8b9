export type AuthResult = 'pass' | 'fail' | 'none'

/** Reduces a result of RFC 8601 to the one shown. `neutral`, `temperror` and `permerror` are neither a pass nor a fail (2.7.1, 2.7.2). */
export const toAuthResult = (result: string): AuthResult => (result === 'pass' ? 'pass' : /fail|policy/.test(result) ? 'fail' : 'none')
