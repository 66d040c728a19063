/** Says that no option matches the typed text. */
export const MissedText = ({ text }: { text: string | null }) => (
  <p role="status" className="text-small text-muted not-empty:mt-1">
    {text !== null && `No choice has “${text}”. Type again, or move with the arrow keys.`}
  </p>
)
