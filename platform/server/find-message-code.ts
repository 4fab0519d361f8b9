/** Only the beginning of a long text is searched for a code. */
const MAX_SEARCHED_CHARS = 1_000

/**
 * Finds the code in a text message or a mail: the digits after a word such as “code” or 验证码, else the first group that looks like one.
 * Accepts “123-456”, “123 456” and “G-123456”; ignores years and phone numbers. Returns '' if there is none.
 */
export function findMessageCode(text: string): string {
  const read = text.slice(0, MAX_SEARCHED_CHARS).replace(/\+\d[\d ()-]{6,}/g, ' ')
  const named = /(?:code|passcode|otp|pin|验证码|校验码|驗證碼|代码)\D{0,20}?(?<![\d+])(\d{3}[- ]\d{3}|\d{4,8})(?![\d/-])/iu.exec(read)
  const any = /(?<![\d+.,/-])(\d{3}[- ]\d{3}|\d{4,8})(?![\d/-])/u.exec(read)
  const prefixed = /(?<![A-Za-z])[A-Z]-(\d{4,8})(?!\d)/u.exec(read)
  return (prefixed?.[1] ?? named?.[1] ?? any?.[1] ?? '').replace(/\D/g, '')
}
