"""Other frameworks calling halfpixel: each adapter against its framework and against literals."""
