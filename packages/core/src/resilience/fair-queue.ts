/** Something that waits its turn. */
export interface QueueItem {
  /** Users take turns. */
  readonly user: string;
  /** Runs of a user take turns. */
  readonly run: object;
  /** The run has begun before: where nothing of it waits yet, it continues before new runs begin. */
  readonly isUnderWay: boolean;
}

interface RunQueue<Item> {
  readonly run: object;
  /** In the order they came. */
  readonly items: Item[];
}

interface UserQueue<Item> {
  readonly user: string;
  count: number;
  readonly runs: RunQueue<Item>[];
}

/** A queue in which users take turns, and within each user its runs. */
export class FairQueue<Item extends QueueItem> {
  readonly #users: UserQueue<Item>[] = [];
  size = 0;

  add(item: Item): void {
    this.size++;
    let user = this.#users.find((each) => each.user === item.user);
    if (user === undefined) {
      user = { user: item.user, count: 0, runs: [] };
      this.#users.push(user);
    }
    user.count++;
    const known = user.runs.find(({ run }) => run === item.run);
    if (known !== undefined) known.items.push(item);
    else if (item.isUnderWay) user.runs.unshift({ run: item.run, items: [item] });
    else user.runs.push({ run: item.run, items: [item] });
  }

  /** Takes the first item that can go now. Its user and its run then come after all others. */
  take(canGo: (item: Item) => boolean): Item | undefined {
    for (const user of this.#users) {
      for (const run of user.runs) {
        const item = run.items.find(canGo);
        if (item === undefined) continue;
        this.#remove(user, run, item);
        if (run.items.length > 0) moveToEnd(user.runs, run);
        if (user.count > 0) moveToEnd(this.#users, user);
        return item;
      }
    }
    return undefined;
  }

  /** Removes an item that does not wait any more. */
  remove(item: Item): void {
    const user = this.#users.find((each) => each.user === item.user);
    const run = user?.runs.find((each) => each.run === item.run);
    if (user !== undefined && run?.items.includes(item)) this.#remove(user, run, item);
  }

  /**
   * Takes the newest item of the user with the most, where that is at least two more than `user` has:
   * a user that floods the queue makes room for the others.
   */
  takeFromLongest(user: string): Item | undefined {
    const own = this.#users.find((each) => each.user === user)?.count ?? 0;
    let longest: UserQueue<Item> | undefined;
    for (const each of this.#users) if (each.count > (longest?.count ?? 0)) longest = each;
    if (longest === undefined || longest.count < own + 2) return undefined;
    const run = longest.runs.at(-1);
    const item = run?.items.at(-1);
    if (run === undefined || item === undefined) return undefined;
    this.#remove(longest, run, item);
    return item;
  }

  #remove(user: UserQueue<Item>, run: RunQueue<Item>, item: Item): void {
    this.size--;
    user.count--;
    remove(run.items, item);
    if (run.items.length === 0) remove(user.runs, run);
    if (user.count === 0) remove(this.#users, user);
  }
}

function remove<Item>(items: Item[], item: Item): void {
  items.splice(items.indexOf(item), 1);
}

function moveToEnd<Item>(items: Item[], item: Item): void {
  remove(items, item);
  items.push(item);
}
