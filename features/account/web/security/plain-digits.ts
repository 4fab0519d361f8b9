/** All equal, or a run up or down: refused here at once, as the server would. */
export function isPlainDigits(digits: string): boolean {
  const steps = [...digits].slice(1).map((digit, index) => Number(digit) - Number(digits[index]))
  return steps.every((step) => step === steps[0] && Math.abs(step) <= 1)
}
