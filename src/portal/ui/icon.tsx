import type { LucideIcon } from 'lucide-react'
import ArrowRight from 'lucide-react/icons/arrow-right'
import Building from 'lucide-react/icons/building-2'
import Banknote from 'lucide-react/icons/banknote'
import Check from 'lucide-react/icons/check'
import ChevronDown from 'lucide-react/icons/chevron-down'
import CircleAlert from 'lucide-react/icons/circle-alert'
import CircleSlash from 'lucide-react/icons/circle-slash'
import Clock from 'lucide-react/icons/clock'
import Columns from 'lucide-react/icons/columns-3'
import House from 'lucide-react/icons/house'
import Info from 'lucide-react/icons/info'
import Copy from 'lucide-react/icons/copy'
import FileMinus from 'lucide-react/icons/file-minus'
import Filter from 'lucide-react/icons/list-filter'
import FileText from 'lucide-react/icons/file-text'
import Search from 'lucide-react/icons/search'
import Warning from 'lucide-react/icons/triangle-alert'
import Undo from 'lucide-react/icons/undo-2'
import User from 'lucide-react/icons/user'
import Users from 'lucide-react/icons/users'
import Organization from 'lucide-react/icons/network'
import Close from 'lucide-react/icons/x'

/** The icons by the names that commands and entities use: those of the frame, and those added by `addIcons`. */
const icons: Record<string, LucideIcon> = {
  alert: CircleAlert,
  building: Building,
  check: Check,
  close: Close,
  columns: Columns,
  copy: Copy,
  deduction: FileMinus,
  down: ChevronDown,
  filter: Filter,
  home: House,
  info: Info,
  invoice: FileText,
  offline: CircleSlash,
  organization: Organization,
  repayment: Banknote,
  search: Search,
  time: Clock,
  undo: Undo,
  user: User,
  users: Users,
  warning: Warning,
  'write-off': CircleSlash,
}

/** Adds icons that the first list does not need. */
export const addIcons = (more: Record<string, LucideIcon>): void => void Object.assign(icons, more)

/** One 16 px icon; an unknown name gets a plain arrow. Always beside a text, so hidden from screen readers. */
export function Icon({ name, size = 16, className = '' }: { name: string; size?: number; className?: string }) {
  const Drawn = icons[name] ?? ArrowRight
  return <Drawn size={size} strokeWidth={1.6} className={`shrink-0 ${className}`} aria-hidden="true" focusable="false" />
}
