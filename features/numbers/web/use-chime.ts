import { useEffect, useRef } from 'react'
import type { NumberRow } from '../contract.ts'

/** Plays a short sound when a code arrives while the page waits; never for codes that were there before, or if the browser forbids sound. */
export function useChime(row: NumberRow | null | undefined): void {
  const before = useRef<{ readonly id: string; readonly count: number }>(undefined)
  const id = row?.id
  const count = row?.messages.length ?? 0
  useEffect(() => {
    if (!id) return
    const known = before.current
    before.current = { id, count }
    if (known?.id === id && count > known.count) playChime()
  }, [id, count])
}

function playChime(): void {
  try {
    const audio = new AudioContext()
    const [tone, volume] = [audio.createOscillator(), audio.createGain()]
    tone.frequency.setValueAtTime(880, audio.currentTime)
    tone.frequency.setValueAtTime(1320, audio.currentTime + 0.09)
    volume.gain.setValueAtTime(0.08, audio.currentTime)
    volume.gain.exponentialRampToValueAtTime(0.001, audio.currentTime + 0.3)
    tone.connect(volume).connect(audio.destination)
    tone.start()
    tone.stop(audio.currentTime + 0.3)
    tone.addEventListener('ended', () => void audio.close())
  } catch {
    // without sound the page says it as well
  }
}
