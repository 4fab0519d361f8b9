export const commands: Readonly<Record<string, string>>
