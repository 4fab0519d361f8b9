export const STEPS: Readonly<Record<string, string[]>>
export function check(steps?: Readonly<Record<string, string[]>>, say?: (line: string) => void): Promise<{ passed: number; failed: number }>
