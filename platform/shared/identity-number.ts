const WEIGHTS = [7, 9, 10, 5, 8, 4, 2, 1, 6, 3, 7, 9, 10, 5, 8, 4, 2]
const CHECKS = '10X98765432'

/** Validates a resident identity number: eighteen characters, an existing date, and the check character of GB 11643-1999. */
export function isIdentityNumber(text: string): boolean {
  if (!/^[1-9]\d{5}(19|20)\d{9}[\dX]$/.test(text)) return false
  const [year, month, day] = [text.slice(6, 10), text.slice(10, 12), text.slice(12, 14)]
  const born = new Date(`${year}-${month}-${day}T00:00:00Z`)
  if (Number.isNaN(born.getTime()) || born.getUTCDate() !== Number(day)) return false
  let total = 0
  for (const [at, weight] of WEIGHTS.entries()) total += Number(text[at]) * weight
  return CHECKS[total % 11] === text[17]
}

/** The birthday that a valid number holds, as 1991-02-28. */
export const readBirthday = (number: string): string => `${number.slice(6, 10)}-${number.slice(10, 12)}-${number.slice(12, 14)}`
