/** Speech of the sandbox: a soft tone, 16 bits, one channel. Base64, as both vendors send it. */
export function tone(ms: number, rate: number, fromMs: number): string {
  const samples = Math.round((ms * rate) / 1000)
  const pcm = Buffer.alloc(samples * 2)
  for (let i = 0; i < samples; i++) {
    const at = fromMs / 1000 + i / rate
    pcm.writeInt16LE(Math.round(3000 * Math.sin(2 * Math.PI * 220 * at)), i * 2)
  }
  return pcm.toString('base64')
}

/** True if the sound is below a microphone's noise without speech. */
export function isSilent(pcm: Buffer): boolean {
  for (let i = 0; i + 1 < pcm.length; i += 2) if (Math.abs(pcm.readInt16LE(i)) > 300) return false
  return true
}
