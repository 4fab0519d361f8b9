/** Checks for equal digits or a run up or down, which the server would refuse too. */
export function isPlainDigits(digits: string): boolean {
  const steps = [...digits].slice(1).map((digit, index) => Number(digit) - Number(digits[index]))
  return steps.every((step) => step === steps[0] && Math.abs(step) <= 1)
}
