// What a page can do by itself, done more comfortably. Nothing needs it.
